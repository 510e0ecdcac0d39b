/** Parts of the product whose pages are still to come; until then their addresses lead to the page for what does not exist. */
export const unbuilt: Readonly<Record<'repositories' | 'invitations' | 'administration', string>> = {
  repositories: '/repositories',
  invitations: '/user/invitations',
  administration: '/admin',
};

/** Whether a path belongs to a part that is still to come. */
export function isUnbuilt(path: string): boolean {
  return Object.values(unbuilt).some((part) => path === part || path.startsWith(`${part}/`));
}
