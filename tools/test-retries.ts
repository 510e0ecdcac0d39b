/**
 * How often a test that failed is tried again: once in CI, which sets CORRAL_TEST_RETRIES to 1, since on a machine that others use one of thousands of tests misses a deadline now and then. The total names those
 * that passed at the second attempt. By default never.
 */
export const testRetries = process.env['CORRAL_TEST_RETRIES'] === '1' ? 1 : 0;
