/** What a transfer through the hub waits for and tries again, and its errors: the same as in the command line. */
export { TransferError, withRetries, type RetryOptions } from '@corral/client';
