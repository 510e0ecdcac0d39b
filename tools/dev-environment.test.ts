import { join } from 'node:path';
import { expect, test } from 'vitest';
import { devEnvironment } from './dev-environment.ts';
import { repositoryRoot } from './source-files.ts';

test('npm run dev keeps its own data, and listens where CORRAL_PORT says', () => {
  expect(devEnvironment({}, false)).toEqual({
    CORRAL_HOST: '127.0.0.1',
    CORRAL_PORT: '8080',
    CORRAL_DATA_DIR: join(repositoryRoot, 'corral-data-dev'),
    CORRAL_DEV_HUB: 'http://127.0.0.1:8080',
  });
  expect(devEnvironment({}, true).CORRAL_DATA_DIR).toBe('/var/lib/corral-dev');
  expect(devEnvironment({ CORRAL_PORT: '9090', CORRAL_DATA_DIR: '/srv/x' }, false)).toMatchObject({
    CORRAL_PORT: '9090',
    CORRAL_DATA_DIR: '/srv/x',
    CORRAL_DEV_HUB: 'http://127.0.0.1:9090',
  });
  expect(() => devEnvironment({ CORRAL_PORT: '0' }, false)).toThrow(
    'CORRAL_PORT must be a whole number from 1',
  );
});
