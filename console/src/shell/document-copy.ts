import { catalogue } from '../copy/catalogue.ts';

/** The texts of the document around every page, which the first paint needs. */
export const documentCopy = catalogue('document', {
  skipToContent: 'Skip to content',
  loading: 'Loading',
  notFound: {
    short: 'Not Found',
    title: 'Page not Found',
    text: 'The page you are looking for does not exist. Please check the URL or',
    link: 'go back to the home page',
    home: 'Go to the home page',
    ask: 'If it should be here for you, ask the administrator:',
    back: (section: string) => `Back to ${section}`,
    search: (word: string) => `Search for ${word}`,
  },
  pageNotLoaded:
    'This part of the console could not be loaded, because the hub cannot be reached. Retry when it is back.',
});
