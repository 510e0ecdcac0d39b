import { Monitor, Moon, Sun } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { uiCopy } from '../ui/copy.ts';
import { MenuChoice } from '../ui/overlay/MenuChoice.tsx';
import { MenuLabel } from '../ui/overlay/MenuLabel.tsx';
import { MenuSeparator } from '../ui/overlay/MenuSeparator.tsx';
import { chooseTheme, chosenTheme, subscribeToAppearance } from '../ui/style/theme.ts';

const icons = { light: Sun, dark: Moon, system: Monitor } as const;
const choices = ['light', 'dark', 'system'] as const;

/** The theme choice as menu items. */
export function ThemeMenu() {
  const chosen = useSyncExternalStore(subscribeToAppearance, chosenTheme);
  return (
    <>
      <MenuSeparator />
      <div role="group" aria-label={uiCopy.theme.label}>
        <MenuLabel>{uiCopy.theme.label}</MenuLabel>
        {choices.map((choice) => {
          const Icon = icons[choice];
          return (
            <MenuChoice
              key={choice}
              icon={<Icon size={15} aria-hidden />}
              isChosen={choice === chosen}
              onSelect={() => chooseTheme(choice)}
            >
              {uiCopy.theme[choice]}
            </MenuChoice>
          );
        })}
      </div>
    </>
  );
}
