import { describe, expect, test } from 'vitest';
import { actionNamed, actions, isNewerName, newerNames, openApiDocument } from './index.ts';

/** A JSON pointer's target in the document. */
function at(document: object, pointer: string): unknown {
  const parts = pointer
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/'));
  return parts.reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], document);
}

interface Operation {
  readonly requestBody: { readonly $ref: string };
  readonly responses: Readonly<Record<string, { readonly $ref: string }>>;
}

describe.each(Object.entries(newerNames))('%s', (name, action) => {
  test(`is ${action}, in the same domain, and not the name of another action`, () => {
    expect(actionNamed(name)).toBe(action);
    expect(actionNamed(action)).toBe(action);
    expect(Object.hasOwn(actions, name)).toBe(false);
    expect(name.split('_')[0]).toBe(action.split('_')[0]);
    expect([isNewerName(name), isNewerName(action)]).toEqual([true, false]);
  });

  test('is described in the document like the original action', () => {
    const document = openApiDocument('1') as { paths: Record<string, { post: Operation }> };
    const own = document.paths[`/api/v1/actions/invoke/${action}`]?.post;
    const other = document.paths[`/api/v1/actions/invoke/${name}`]?.post;
    expect(other).toMatchObject({ operationId: name, 'x-corral-alias-of': action });
    expect(at(document, other?.requestBody.$ref ?? '')).toBe(own?.requestBody);
    expect(Object.keys(other?.responses ?? {})).toEqual(Object.keys(own?.responses ?? {}));
    for (const [status, { $ref }] of Object.entries(other?.responses ?? {}))
      expect(at(document, $ref)).toBe(own?.responses[status]);
  });
});

test('no action has two newer names', () => {
  expect(new Set(Object.values(newerNames)).size).toBe(Object.keys(newerNames).length);
});

test('unknown names are not found', () => {
  for (const name of ['', 'toString', '__proto__', 'constructor', 'projects_query', 'projects_Query ']) {
    expect(actionNamed(name)).toBeUndefined();
    expect(isNewerName(name)).toBe(false);
  }
});

test('new actions are only called by newer clients', () => {
  expect([isNewerName('devices_RemoveProperty'), isNewerName('actor_GetActor')]).toEqual([true, false]);
});
