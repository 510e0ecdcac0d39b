import type { Plugin } from 'vite';

/** What xterm does that the content security policy forbids, how often, and what does the same as properties. */
const replaced: readonly (readonly [RegExp, count: number, code: string])[] = [
  [/\.createElement\("style"\)/g, 3, '.createElement("strict-style")'],
  [/(\w+)\.setAttribute\("style",/g, 1, '((element, rules) => { element.style.cssText = rules; })($1,'],
];

/** Makes xterm keep to a content security policy without inline styles; fails the build when a new release does them in other places. */
export function strictXterm(): Plugin {
  return {
    name: 'xterm-styles',
    apply: 'build',
    transform: {
      filter: { id: /\/@xterm\/xterm\/lib\/xterm\.mjs$/ },
      handler(code) {
        let changed = code;
        for (const [pattern, count, instead] of replaced) {
          const found = [...code.matchAll(pattern)].length;
          if (found !== count)
            throw new Error(
              `xterm has ${found} of ${pattern} and not ${count}; see console/xterm-styles.ts.`,
            );
          changed = changed.replace(pattern, instead);
        }
        return { code: changed, map: null };
      },
    },
  };
}
