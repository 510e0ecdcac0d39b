import { expect, test } from 'vitest';
import { operatorCommand, programOf } from './operator-command.ts';

test.each([
  ['/home/ada/corral/hub/src/operator-command.ts', 'npm start --'],
  ['/home/ada/.npm/_npx/5c/node_modules/corral-hub/hub/src/main.js', 'npx corral-hub'],
  ['/usr/local/lib/node_modules/corral-hub/hub/src/main.js', 'corral-hub'],
  ['/usr/lib/corral-hub/hub/src/main.js', 'corral-hub'],
])('a hub of the file %s has its commands called by %s', (file, program) => {
  expect(programOf(file)).toBe(program);
});

test('this is a checkout', () => expect(operatorCommand('doctor')).toBe('npm start -- doctor'));
