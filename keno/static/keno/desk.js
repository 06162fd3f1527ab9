// What the parts of the terminal share: its page, its state, the ticket being marked, the server's clock.

import { ServerClock } from "../web/clock.js";
import { every, one } from "../web/dom.js";
import * as money from "../web/money.js";
import { Marking } from "./marking.js";
import { TerminalState } from "./state.js";

export const root = one("#terminal");
export const { rules, venue } = root.dataset;
export const grid = one("[data-grid]");
export const paper = one("[data-paper]");
export const numbers = every(".n", grid);

export const clock = new ServerClock();
export const marking = new Marking();
export const state = new TerminalState(money);
