// Scanning a receipt on any page of the console opens that ticket.

import { scanner } from "./scan.js";

const { scanned } = document.getElementById("main").dataset;
// An entry form is for the terminal: here it is no ticket.
if (scanned) scanner((ticket) => location.assign(`${scanned}?code=${ticket?.serial ?? ""}`));
