const tickets = new Map<string, string>();

/** Keeps the ticket of a terminal that was just opened, for the page that shows it. */
export const keepTicket = (sessionId: string, ticket: string): void => void tickets.set(sessionId, ticket);

/** The ticket of a terminal, once. */
export function takeTicket(sessionId: string): string | undefined {
  const ticket = tickets.get(sessionId);
  tickets.delete(sessionId);
  return ticket;
}

/** Whether there is a ticket of a terminal. */
export const hasTicket = (sessionId: string): boolean => tickets.has(sessionId);
