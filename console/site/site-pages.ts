/** A group of the list of documents. */
export interface NavigationGroup {
  readonly name: string;
  readonly entries: readonly { readonly slug: string; readonly title: string }[];
}

/** The reference of a domain of the API, as Markdown. */
export interface ApiPage {
  /** Below `api/`. */
  readonly domain: string;
  readonly title: string;
  readonly about: string;
  readonly markdown: string;
}

/** The reference of the API: what all actions share, and a page a domain. */
export interface ApiReference {
  readonly overview: string;
  readonly pages: readonly ApiPage[];
}
