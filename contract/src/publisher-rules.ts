/** The most publishers of a repository. */
export const maxPublishers = 50;
/** The most conditions of a publisher. */
export const maxConditionsOfPublisher = 10;
/** The issuers of the tokens of public CIs, by the words for them in the setting of the instance. */
export const wellKnownIssuers = {
  github: 'https://token.actions.githubusercontent.com',
  gitlab: 'https://gitlab.com',
} as const;
