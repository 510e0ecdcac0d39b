/** Whether this machine has a Command key, on which shortcuts then stand instead of Ctrl. */
export function hasCommandKey(): boolean {
  return /mac|iphone|ipad/iu.test(navigator.userAgent);
}

/** The name of the modifier of shortcuts on this machine. */
export function modifier(): string {
  return hasCommandKey() ? '⌘' : 'Ctrl';
}
