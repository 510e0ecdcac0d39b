import type { Plugin } from 'vite';

const styleSheet = /\s*<link rel="stylesheet" crossorigin href="\/assets\/[^>]*>/;

/** Moves the link to the style sheet of the pages to the end of the body, so that the outline of a page is painted before it arrives. */
export function lateStyles(): Plugin {
  return {
    name: 'late-styles',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const [link] = styleSheet.exec(html) ?? [];
        if (link === undefined)
          throw new Error('index.html names no style sheet; see console/late-styles.ts.');
        return html.replace(link, '').replace('</body>', `${link.trim()}\n  </body>`);
      },
    },
  };
}
