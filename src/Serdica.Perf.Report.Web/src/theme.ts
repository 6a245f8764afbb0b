/** The colours of the page as the charts need them; style.css has them, for light and dark. */
export interface Theme {
  text: string;
  quiet: string;
  line: string;
  surface: string;
  good: string;
  bad: string;
  warn: string;
  series: string[];
  heat: string[];
}

const choices = ['system', 'light', 'dark'] as const;
const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let chosen: (typeof choices)[number] = 'system';
let isPrinting = false;

function apply(): void {
  // Paper is light, whatever the screen is.
  const isDark = !isPrinting && (chosen === 'dark' || (chosen === 'system' && system.matches));
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
  listeners.forEach(listener => listener());
}

apply();
system.addEventListener('change', apply);

export function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    text: colour('text'),
    quiet: colour('quiet'),
    line: colour('line'),
    surface: colour('surface'),
    good: colour('good'),
    bad: colour('bad'),
    warn: colour('warn'),
    series: Array.from({ length: 8 }, (_, index) => colour(`series-${index + 1}`)),
    heat: Array.from({ length: 5 }, (_, index) => colour(`heat-${index + 1}`)),
  };
}

export const onThemeChange = (listener: () => void): void => void listeners.add(listener);

export function printing(begins: boolean): void {
  isPrinting = begins;
  apply();
}

export function themeButton(): HTMLButtonElement {
  const button = document.createElement('button');
  const show = () => {
    button.textContent = `Colours: ${chosen}`;
  };
  button.type = 'button';
  button.className = 'theme';
  button.addEventListener('click', () => {
    chosen = choices[(choices.indexOf(chosen) + 1) % choices.length]!;
    show();
    apply();
  });
  show();
  return button;
}
