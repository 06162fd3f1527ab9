// Scanning a receipt on any page of the console opens that ticket.

import { scanner } from "./scan.js";

const { scanned } = document.getElementById("main").dataset;
if (scanned) scanner((ticket) => location.assign(`${scanned}?code=${ticket ? ticket.serial : ""}`));
