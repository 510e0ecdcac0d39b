import { Monitor, Moon, Sun } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { uiCopy } from '../copy.ts';
import { chooseTheme, chosenTheme, subscribeToAppearance } from '../style/theme.ts';

const choices = [
  ['light', Sun],
  ['dark', Moon],
  ['system', Monitor],
] as const;

/** Switches between light, dark and the theme of the operating system. */
export function ThemeSwitch() {
  const chosen = useSyncExternalStore(subscribeToAppearance, chosenTheme);
  return (
    <div
      role="group"
      aria-label={uiCopy.theme.label}
      className="inline-flex rounded-control border border-line bg-surface p-0.5 print:hidden"
    >
      {choices.map(([choice, Icon]) => (
        <button
          key={choice}
          type="button"
          aria-label={uiCopy.theme[choice]}
          aria-pressed={choice === chosen}
          title={uiCopy.theme[choice]}
          onClick={() => chooseTheme(choice)}
          className="inline-flex h-7 w-8 items-center justify-center rounded-[3px] text-ink3 transition-colors hover:text-ink aria-pressed:bg-denim-wash aria-pressed:text-ink pointer-coarse:size-11"
        >
          <Icon size={15} aria-hidden />
        </button>
      ))}
    </div>
  );
}
