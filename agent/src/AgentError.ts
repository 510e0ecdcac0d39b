/** An error that the user of the agent has to fix; the message is one sentence. */
export class AgentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AgentError';
  }
}
