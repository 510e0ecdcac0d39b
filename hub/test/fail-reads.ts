// Loaded by `node --import` before a command: the disk cannot read the files below the path in FAILING_READS.
import { failCalls } from './disk-faults.ts';

await failCalls('read', process.env['FAILING_READS'] ?? '');
