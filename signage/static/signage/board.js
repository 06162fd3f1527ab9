/* What the boards show, and how an event changes it: the same as signage/state.py, and tested against it. Pure. */

const LIMITS = { games: 20, results: 5 };
const byCode = (a, b) => (a.code < b.code ? -1 : 1);

function game(board, data) {
  const games = board.keno.games;
  let found = games.find((one) => one.number === data.game);
  if (!found) {
    found = { number: data.game, status: "open", attempt: 1, drawn: [] };
    games.push(found);
    games.sort((a, b) => a.number - b.number);
    games.splice(0, Math.max(0, games.length - LIMITS.games));
  }
  return found;
}
function link(board, code) {
  let found = board.jackpots.find((one) => one.code === code);
  if (!found) {
    found = { code, title: code, displayed: null, tables: [], last_win: null, pending: [] };
    board.jackpots.push(found);
    board.jackpots.sort(byCode);
  }
  return found;
}
const table = (status) => (board, data) => {
  for (const one of board.jackpots)
    for (const seat of one.tables)
      if (seat.code === data.table) Object.assign(seat, { status, link_down: Boolean(data.link_down) });
};
function joined(board, data) {
  const { tables } = link(board, data.link);
  if (!tables.some((one) => one.code === data.table))
    tables.push({ code: data.table, status: "open", link_down: false });
  tables.sort(byCode);
}
function hit(board, data) {
  if ([undefined, null, "0.00"].includes(data.from_pool)) return;
  const at = link(board, data.link);
  const win = {
    hit: data.hit,
    table: data.table,
    hand: data.hand,
    amount: data.amount,
    status: data.status,
    at: data.at,
  };
  const known = [...at.pending, ...(at.last_win ? [at.last_win] : [])].find((one) => one.hit === win.hit);
  if (known) win.at = known.at;
  at.pending = at.pending.filter((one) => one.hit !== win.hit);
  if (win.status === "denied") {
    if (at.last_win?.hit === win.hit) at.last_win = null;
    return;
  }
  if (win.status !== "paid") at.pending = [...at.pending, win].sort((a, b) => a.hit - b.hit);
  if (!at.last_win || typeof at.last_win.hit !== "number" || at.last_win.hit <= win.hit) at.last_win = win;
}

const winners = ({ winners: count = null, prizes = null, biggest = null }) => ({ winners: count, prizes, biggest });

function jackpotsWon(board, data) {
  for (const [spots, won] of Object.entries(data.jackpots || {}))
    link(board, `KENO-${spots}`).last_win = {
      hit: `game-${data.game}`,
      table: `Keno game ${data.game}`,
      hand: `${spots} of ${spots}`,
      amount: won.amount,
      status: "won",
      at: data.at,
    };
}

/* The same as signage/state.py, and tested against it. An event says how things are now: twice is once. */
const CHANGES = {
  "keno.opened": (board, data) =>
    Object.assign(game(board, data), {
      status: "open",
      opens_at: data.opens_at,
      closes_at: data.closes_at,
      device: data.device,
      commitment: data.commitment,
    }),
  "keno.moved": (board, data) => {
    game(board, data).closes_at = data.new;
  },
  "keno.closed": (board, data) => {
    game(board, data).status = "closed";
  },
  "keno.sealed": (board, data) => {
    const set = { ticket_root: data.ticket_root, ticket_count: data.ticket_count };
    Object.assign(game(board, data), { status: "sealed", ...set });
  },
  "keno.locked": (board, data) => {
    Object.assign(game(board, data), { attempt: data.attempt, waits: false });
  },
  "keno.waits": (board, data) => {
    game(board, data).waits = true;
  },
  "keno.ball": (board, data) => {
    const at = game(board, data);
    Object.assign(at, {
      status: "drawing",
      attempt: data.attempt,
      waits: false,
      drawn: [...at.drawn.slice(0, data.place - 1), data.number],
    });
  },
  "keno.ball-fell-back": (board, data) => {
    const at = game(board, data);
    at.drawn = at.drawn.filter((number) => number !== data.number);
  },
  "keno.ball-corrected": (board, data) => {
    const at = game(board, data);
    at.drawn = at.drawn.map((number) => (number === data.old ? data.new : number));
  },
  "keno.drawn": (board, data) =>
    Object.assign(game(board, data), {
      status: "drawn",
      drawn: data.numbers,
      attempt: data.attempt,
      ticket_root: data.ticket_root,
      ticket_count: data.ticket_count,
    }),
  "keno.settled": (board, data) => {
    Object.assign(game(board, data), {
      status: "settled",
      drawn: data.numbers,
      attempt: data.attempt,
      commitment: data.commitment,
      ticket_root: data.ticket_root,
      ticket_count: data.ticket_count,
      seed: data.seed,
      ...winners(data),
    });
    jackpotsWon(board, data);
  },
  "keno.resettled": (board, data) => {
    const at = board.keno.games.find((one) => one.number === data.game);
    if (at) Object.assign(at, { drawn: data.numbers, recorded: data.recorded, ...winners(data) });
    for (const one of board.jackpots) if (one.last_win?.hit === `game-${data.game}`) one.last_win = null;
    jackpotsWon(board, data);
  },
  "keno.voided": (board, data) => {
    const voided = game(board, data);
    const numbers = data.would_be?.length ? data.would_be : data.numbers;
    const earlier = (voided.voids || []).filter((one) => one.attempt !== data.attempt);
    Object.assign(voided, {
      status: voided.ticket_root ? "sealed" : "closed",
      attempt: data.attempt + 1,
      drawn: [],
      waits: false,
      voids: [...earlier, { attempt: data.attempt, cause: data.cause ?? null, numbers }],
      device: data.device ?? voided.device ?? null,
    });
  },
  "keno.invalidated": (board, data) => {
    game(board, data).status = "invalidated";
  },
  "jackpot.pool-opened": (board, data) => {
    link(board, data.code).title = data.title;
  },
  "jackpot.retired": (board, data) => {
    board.jackpots = board.jackpots.filter((one) => one.code !== data.code);
  },
  "jackpot.meter": (board, data) => {
    link(board, data.link).displayed = data.displayed;
  },
  "jackpot.meter-bounded": (board, data) => {
    const at = link(board, data.code);
    if (data.level) at.must_hit_by_levels = { ...at.must_hit_by_levels, [data.level]: data.ceiling };
    else at.must_hit_by = data.ceiling;
    at.undecided ??= false;
  },
  "jackpot.undecided": (board, data) => {
    link(board, data.code).undecided = true;
  },
  "jackpot.movement-decided": (board, data) => {
    const at = link(board, data.code);
    at.undecided = data.waiting > 0;
    if (data.falls.length) at.last_fall = { number: data.number, ...data.falls.at(-1) };
  },
  "log.checkpoint": (board, data) => {
    board.checkpoint = data.note;
  },
  "jackpot.table-joined": joined,
  "jackpot.table-moved": (board, data) => {
    for (const one of board.jackpots)
      if (one.code !== data.link) one.tables = one.tables.filter((seat) => seat.code !== data.table);
    joined(board, data);
  },
  "jackpot.table-opened": table("open"),
  "jackpot.table-closed": table("closed"),
  "jackpot.table-suspended": table("suspended"),
  "jackpot.hit": hit,
  "jackpot.hit-shared": hit,
  "jackpot.hit-verified": hit,
  "jackpot.hit-paid": hit,
  "jackpot.hit-denied": hit,
  "promotion.result": (board, data) => {
    board.promotions = [...board.promotions.filter((one) => one.promotion !== data.promotion), data].slice(
      -LIMITS.results,
    );
  },
};
export const apply = (board, kind, data) => CHANGES[kind]?.(board, data);
export const KINDS = Object.keys(CHANGES);
