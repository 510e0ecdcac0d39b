import type { Plugin } from 'vite';

/** Modules of libraries that no page needs, but that the bundler keeps because others call them; and what takes their place. */
const leftOut: readonly (readonly [RegExp, code: string])[] = [
  // What TanStack Form tells its developer tools, which the console does not have: the state of each form, passwords included.
  [
    /\/@tanstack\/devtools-event-client\/dist\/esm\/plugin\.js$/,
    'export class EventClient { on() { return () => {}; } emit() {} }',
  ],
  [
    /\/@tanstack\/pacer-lite\/dist\/lite-throttler\.js$/,
    'export class LiteThrottler {} export const liteThrottle = () => () => {};',
  ],
  // Groups of fields: no form has any.
  [/\/@tanstack\/react-form\/dist\/esm\/useFormGroup\.js$/, refusing('FormGroup', 'useFormGroup')],
  [/\/@tanstack\/react-form\/dist\/esm\/useFieldGroup\.js$/, refusing('useFieldGroup')],
];

/** Functions of these names; a page that calls one fails at once. */
function refusing(...names: readonly string[]): string {
  return names
    .map(
      (name) => `export function ${name}() { throw new Error('console/left-out.ts leaves out ${name}.'); }`,
    )
    .join('\n');
}

/** Leaves the code of libraries that no page needs out of the build, which fails when a library has moved it elsewhere. */
export function withoutLeftOut(): Plugin {
  const met = new Set<RegExp>();
  return {
    name: 'left-out',
    apply: 'build',
    load: {
      filter: { id: leftOut.map(([module]) => module) },
      handler(id) {
        const found = leftOut.find(([module]) => module.test(id));
        if (found === undefined) return undefined;
        met.add(found[0]);
        return { code: found[1], moduleSideEffects: false };
      },
    },
    buildEnd(error) {
      const missing = leftOut.find(([module]) => !met.has(module));
      if (error === undefined && missing !== undefined)
        throw new Error(`No module matches ${missing[0]}; see console/left-out.ts.`);
    },
  };
}
