/* Between two draws the board shows its panels in turn; during a draw the first of them stays: the last games. */
const PANEL_MS = 8000;

export class Between {
  constructor(element) {
    this.panels = [...element.querySelectorAll("[data-panel]")];
    this.turning = false;
    this.at = 0;
    setInterval(() => this.show(this.turning ? (this.at + 1) % this.panels.length : 0), PANEL_MS);
  }
  /* Whether the panels change: only while no ball is being drawn. */
  turn(on) {
    if (this.turning && !on) this.show(0);
    this.turning = on;
  }
  show(at) {
    this.at = at;
    this.panels.forEach((panel, place) => {
      panel.hidden = place !== at;
    });
  }
}
