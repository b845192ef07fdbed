from firmware_bridge.bench import latency


def test_the_latency_bench_sees_lights_answer_hands_on_the_real_service(monkeypatch):
    monkeypatch.setattr(latency, "ANSWER", 60.0)  # on a machine that has much else to do
    answers = latency.measure("mockery", turns=2, seed=1)
    assert answers.turns == 2
    assert answers.seconds
    assert all(0 < seconds < latency.ANSWER for seconds in answers.seconds)
