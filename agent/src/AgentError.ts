/** Something that the person who runs the agent has to mend; the message is one sentence. */
export class AgentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AgentError';
  }
}
