// A page that only asks for a key or PIN.

import { enter, part } from "./table.js";

const form = part("entry");
if (form) enter(form);
