import { Fragment, useContext } from 'react';
import { terms } from '../copy/terms.ts';
import { shortcutsCopy } from './shortcuts-copy.ts';
import { Kbd } from '../ui/text/Kbd.tsx';
import { SectionLookupContext } from './page-section.ts';
import { modifier } from './modifier.ts';

type Shortcut = { keys: readonly string[]; isSequence?: boolean; does: string };

/** Every keyboard shortcut of the console, in groups with headings of the third level. */
export function ShortcutList() {
  const lookup = useContext(SectionLookupContext);
  return (
    <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
      {groups(lookup.shortcuts()).map(({ title, shortcuts }) => (
        <section key={title}>
          <h3 className="mb-1.5 text-small text-ink3">{title}</h3>
          <dl className="divide-y divide-line border-y border-line">
            {shortcuts.map((shortcut) => (
              <div key={shortcut.does} className="flex min-h-10 items-center justify-between gap-4 py-1.5">
                <dt className="text-body">{shortcut.does}</dt>
                <dd dir="ltr" className="inline-flex shrink-0 items-center gap-1 text-small text-ink3">
                  <Keys {...shortcut} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

function Keys({ keys, isSequence = false }: Shortcut) {
  return keys.map((key, index) => (
    <Fragment key={key}>
      {index > 0 && isSequence && <span>{shortcutsCopy.thenPress}</span>}
      <Kbd>{key}</Kbd>
    </Fragment>
  ));
}

function groups(
  sections: readonly { key: string; label: string }[],
): { title: string; shortcuts: readonly Shortcut[] }[] {
  const { groups: titles, keys: does } = shortcutsCopy;
  return [
    {
      title: titles.everywhere,
      shortcuts: [
        { keys: [modifier(), 'K'], does: terms.goToAnything },
        { keys: ['/'], does: does.filter },
        { keys: ['c'], does: does.create },
        { keys: ['?'], does: does.sheet },
        { keys: ['F6'], does: does.toasts },
      ],
    },
    {
      title: titles.lists,
      shortcuts: [
        { keys: ['j'], does: does.nextRow },
        { keys: ['k'], does: does.previousRow },
        { keys: ['↵'], does: does.openRow },
        { keys: ['x'], does: does.selectRow },
        { keys: ['⇧', 'x'], does: does.selectRange },
        { keys: ['b'], does: does.bulk },
        { keys: ['Esc'], does: does.clear },
      ],
    },
    {
      title: titles.go,
      shortcuts: sections.map(({ key, label }) => ({ keys: ['g', key], isSequence: true, does: label })),
    },
    {
      title: titles.palette,
      shortcuts: [
        { keys: ['↵'], does: does.open },
        { keys: [modifier(), '↵'], does: does.newTab },
        { keys: ['⇧', '↵'], does: does.copyId },
      ],
    },
  ];
}
