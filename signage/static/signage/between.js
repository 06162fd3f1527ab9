/* Between two draws the board shows its panels in turn; during a draw the first of them stays: the last games. */
const PANEL_MS = 8000;

export class Between {
  constructor(element) {
    this.panels = [...element.querySelectorAll("[data-panel]")];
    this.turning = false;
    this.at = 0;
    setInterval(() => this.show(this.turning ? this.after(this.at) : 0), PANEL_MS);
  }
  /* Whether the panels change: only while no ball is being drawn. */
  turn(on) {
    if (this.turning && !on) this.show(0);
    this.turning = on;
  }
  /* The next panel that has something to say. */
  after(at) {
    const places = this.panels.map((_, step) => (at + 1 + step) % this.panels.length);
    return places.find((place) => !this.panels[place].hasAttribute("data-empty"));
  }
  show(at) {
    this.at = at;
    this.panels.forEach((panel, place) => {
      panel.hidden = place !== at;
    });
  }
}
