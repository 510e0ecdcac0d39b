import type { CodeSplittingOptions } from '@tanstack/router-plugin';

type Groups = ReturnType<NonNullable<CodeSplittingOptions['splitBehavior']>>;

// Their loaders stay in the entry chunk, so that the first request for data does not wait for another chunk.
const firstScreens: ReadonlySet<string> = new Set([
  '__root__',
  '/_public',
  '/_public/login',
  '/_guard',
  '/_guard/',
  '/_guard/projects/',
]);

// People open these most, and their answers take longest: the loader stays in the entry chunk here, too, while the components are loaded.
const asksAtOnce: ReadonlySet<string> = new Set([
  '/_guard/projects/$projectId',
  '/_guard/projects/$projectId/overview',
  '/_guard/projects/$projectId/devices/',
  '/_guard/projects/$projectId/devices/$deviceId',
]);

/** The parts of a route that share a chunk: of all routes except the first screens, the loader and all components. */
export function routeChunks({ routeId }: { routeId: string }): Groups {
  if (firstScreens.has(routeId)) return undefined;
  const components = ['component', 'errorComponent', 'notFoundComponent', 'pendingComponent'] as const;
  return [asksAtOnce.has(routeId) ? [...components] : ['loader', ...components]];
}
