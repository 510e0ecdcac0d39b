import { useEffect, useState } from 'react';

// By the number of the state.
const tokens = ['ink', 'ok-fill', 'warn-fill', 'danger-fill'];
const forced = ['GrayText', 'CanvasText', 'Highlight', 'Mark'];

/** The colours of dots by the number of their state, for a canvas, which cannot read those of the style sheet; new ones when the theme changes. */
export function useDotColours(): readonly string[] {
  const [colours, setColours] = useState(readColours);
  useEffect(() => {
    const update = () => setColours(readColours());
    const observer = new MutationObserver(update);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) =>
      window.matchMedia(query),
    );
    for (const query of queries) query.addEventListener('change', update);
    return () => {
      observer.disconnect();
      for (const query of queries) query.removeEventListener('change', update);
    };
  }, []);
  return colours;
}

function readColours(): readonly string[] {
  if (window.matchMedia('(forced-colors: active)').matches) return forced;
  const probe = document.createElement('span');
  document.body.append(probe);
  const colours = tokens.map((token) => {
    probe.style.color = `var(--color-${token})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return colours;
}
