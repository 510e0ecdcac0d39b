/** A style element that the content security policy allows: its rules are a constructed style sheet while it is in the page. `console/xterm-styles.ts` has xterm make it. */
export class StrictStyle extends HTMLElement {
  static readonly tag = 'strict-style';
  readonly #sheet = new CSSStyleSheet();

  override set textContent(rules: string) {
    this.#sheet.replaceSync(rules);
  }

  override get textContent(): string {
    return '';
  }

  connectedCallback(): void {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.#sheet];
  }

  disconnectedCallback(): void {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
  }
}

if (customElements.get(StrictStyle.tag) === undefined) customElements.define(StrictStyle.tag, StrictStyle);
