const maxProjects = 50;
const keyOf = (userId: string): string => `corral.dismissed-steps.${userId}`;

/** Whether a user has hidden the steps of a project in this browser. */
export function areStepsDismissed(userId: string, projectId: string): boolean {
  return read(userId).includes(projectId);
}

/** Hides the steps of a project for a user. */
export function dismissSteps(userId: string, projectId: string): void {
  try {
    localStorage.setItem(keyOf(userId), [projectId, ...read(userId)].slice(0, maxProjects).join(' '));
  } catch {
    // Storage may be disabled or full; then they are hidden until the page is left.
  }
}

function read(userId: string): string[] {
  try {
    return (localStorage.getItem(keyOf(userId)) ?? '').split(' ').filter(Boolean);
  } catch {
    return [];
  }
}
