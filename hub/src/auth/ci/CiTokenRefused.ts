/** What a CI says of a job, once its signature was found right. */
export type CiClaims = Readonly<Record<string, unknown>>;

/** The ID token of a CI was refused. The message is for the owners of the repository; outsiders must not see it. */
export class CiTokenRefused extends Error {
  /** What the token says; only where its issuer has signed it. */
  readonly claims: CiClaims | undefined;
  /** Whether the issuer could not be asked for its keys, so that the same token may succeed later. */
  readonly isUnreachable: boolean;

  constructor(
    message: string,
    more: { readonly claims?: CiClaims; readonly isUnreachable?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'CiTokenRefused';
    this.claims = more.claims;
    this.isUnreachable = more.isUnreachable === true;
  }
}
