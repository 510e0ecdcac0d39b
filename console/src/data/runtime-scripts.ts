import type { QueryClient } from '@tanstack/react-query';
import type { RuntimeScript } from './hub.ts';
import { configQuery } from './queries-account.ts';

/** Appends the scripts that the operator configured to the head of the page. Failures are only logged. */
export async function addRuntimeScripts(client: QueryClient): Promise<void> {
  try {
    const { scripts } = await client.ensureQueryData(configQuery);
    for (const script of scripts) document.head.append(elementOf(script));
  } catch (error) {
    console.warn('The configuration of extra scripts could not be read.', error);
  }
}

function elementOf({ src, attributes = {} }: RuntimeScript): HTMLScriptElement {
  const element = document.createElement('script');
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.src = src;
  return element;
}
