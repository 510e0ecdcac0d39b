/** Whether this machine has a Command key, which shortcuts then use instead of Ctrl. */
export function hasCommandKey(): boolean {
  return /mac|iphone|ipad/iu.test(navigator.userAgent);
}

/** The name of the modifier key of shortcuts on this machine. */
export function modifier(): string {
  return hasCommandKey() ? '⌘' : 'Ctrl';
}
