from firmware_bridge.bench.latency import ANSWER, measure


def test_the_latency_bench_sees_lights_answer_hands_on_the_real_service():
    answers = measure("mockery", turns=2, seed=1)
    assert answers.turns == 2
    assert answers.seconds
    assert all(0 < seconds < ANSWER for seconds in answers.seconds)
