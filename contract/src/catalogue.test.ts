import { describe, expect, test } from 'vitest';
import { actions } from './index.ts';

describe('the catalogue', () => {
  test('serves the actions of every domain', () => {
    const domains = new Set(Object.keys(actions).map((name) => name.split('_')[0] ?? ''));
    expect([...domains].toSorted()).toEqual(
      ['actor', 'alerts', 'audit', 'cluster', 'devices', 'fleet', 'instance', 'jobs'].concat([
        'projects',
        'repositories',
        'users',
      ]),
    );
  });

  test.each(Object.entries(actions))(
    '%s has one sentence of doc and a sound audit rule',
    (name, definition) => {
      expect(name).toMatch(/^[a-z]+_[A-Z][A-Za-z0-9]+$/);
      expect(definition.doc).toMatch(/^[A-Z].*\.$/);
      expect(definition.doc).not.toMatch(/\. /);
      if (definition.kind === 'query') expect(definition.audit).toBe('none');
    },
  );
});
