// Money: whole cents inside, "12.50" on the wire, $12.50 on the page. Pure: no page is needed.

export const cents = (text) => {
  const [, sign, whole, part = ""] =
    /^(-?)\$?(\d*)(?:\.(\d{0,2}))?$/.exec(String(text).trim().replaceAll(",", "")) || [];
  if (whole === undefined || (whole === "" && part === "")) return NaN;
  return (sign ? -1 : 1) * (Number(whole || 0) * 100 + Number(part.padEnd(2, "0") || 0));
};
export const wire = (amount) =>
  `${amount < 0 ? "-" : ""}${Math.floor(Math.abs(amount) / 100)}.${String(Math.abs(amount) % 100).padStart(2, "0")}`;
export const dollars = (amount) => {
  const [whole, part] = wire(Math.abs(amount)).split(".");
  return `${amount < 0 ? "−" : ""}$${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${part}`;
};
