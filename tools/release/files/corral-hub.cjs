#!/usr/bin/env node
'use strict';

// Plain JavaScript for old versions of Node.js, which get a sentence.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    'corral-hub needs Node.js 22.19 or newer; this is ' +
      process.version +
      '.\n' +
      'npx brings one along on Linux: npx -p node-linux-' +
      process.arch +
      '@24 -p corral-hub corral-hub\n',
  );
  process.exit(1);
}
// Thousands of idle connections then cost a fifth of the memory, at the same speed.
require('v8').setFlagsFromString('--max-semi-space-size=8');
import('../hub/src/main.js').catch(function (error) {
  process.stderr.write('corral-hub could not start: ' + error.message + '\n');
  process.exit(1);
});
