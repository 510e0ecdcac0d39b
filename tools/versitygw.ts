import { findOrBuildGoProgram } from './go-program.ts';

/**
 * The path of versitygw, an S3-compatible server for tests, in the pinned version, which takes about 90 seconds to build. Undefined without Go 1.25 or newer. Throws one
 * sentence if the build fails.
 */
export function findOrBuildVersitygw(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const program = {
    name: 'versitygw',
    module: 'github.com/versity/versitygw/cmd/versitygw',
    version: '1.7.0',
    neededGo: [1, 25],
    need: 'The tests of S3 need versitygw',
  } as const;
  return findOrBuildGoProgram(program, env);
}
