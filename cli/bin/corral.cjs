#!/usr/bin/env node
'use strict';

// Plain JavaScript for old Nodes: the command line itself is TypeScript that Node runs as it is from 22.18 on.
const parts = process.versions.node.split('.').map(Number);
if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 18)) {
  process.stderr.write('corral needs Node.js 22.18 or newer; this is ' + process.version + '.\n');
  process.exit(1);
}
import('../src/main.ts').catch(function (error) {
  process.stderr.write('corral could not start: ' + error.message + '\n');
  process.exit(1);
});
