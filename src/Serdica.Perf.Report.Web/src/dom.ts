type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined>;

/** An element; texts are set as texts, so nothing that was measured can become a tag. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : `${value}`);
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

export interface Column {
  name: string;
  isText?: boolean;
}

export interface Table {
  caption: string;
  columns: Column[];
  rows: (string | Node)[][];
}

export function tableOf(table: Table): HTMLElement {
  const cell = (tag: 'th' | 'td', content: string | Node, column: Column, scope?: string) =>
    h(tag, { class: !column.isText ? 'n' : isSentence(content) ? 'long' : undefined, scope }, content);
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': table.caption },
    h(
      'table',
      {},
      h('caption', {}, table.caption),
      h('thead', {}, h('tr', {}, ...table.columns.map(column => cell('th', column.name, column, 'col')))),
      h(
        'tbody',
        {},
        ...table.rows.map(row =>
          h(
            'tr',
            {},
            ...row.map((content, index) =>
              index === 0 ? cell('th', content, table.columns[0]!, 'row') : cell('td', content, table.columns[index]!),
            ),
          ),
        ),
      ),
    ),
  );
}

/** Squeezed into the width of its longest word, it would make the row as high as a screen. */
const isSentence = (content: string | Node): boolean => (typeof content === 'string' ? content : (content.textContent ?? '')).length > 32;

/** A text with commands in it: a line never ends between the hyphens and the name of an option. */
export const withOptions = (text: string): Child[] =>
  text.split(/((?<=^|\s)--?[a-z][\w-]*)/).map((part, index) => (index % 2 === 0 ? part : h('span', { class: 'option' }, part)));

/** Opens to what `make` gives, which is made when it is first opened: tables of thousands of rows cost nothing until then. */
export function disclosure(summary: string, make: () => Node): HTMLDetailsElement {
  const details = h('details', {}, h('summary', {}, summary));
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(make());
  });
  return details;
}

export function section(id: string, heading: string, lead: string, ...children: Child[]): HTMLElement {
  return h(
    'section',
    { id, 'aria-labelledby': `${id}-heading` },
    h('h2', { id: `${id}-heading` }, heading),
    lead !== '' && h('p', { class: 'lead' }, lead),
    ...children,
  );
}

/** A labelled choice; `onChange` is called at once with the first one. What is chosen stands above its figures too, in whole. */
export function choice(label: string, options: { value: string; text: string }[], onChange: (value: string) => void): HTMLElement {
  const select = h('select', {}, ...options.map(option => h('option', { value: option.value }, option.text)));
  select.addEventListener('change', () => onChange(select.value));
  if (options.length > 0) onChange(options[0]!.value);
  return h('label', { class: 'choice', hidden: options.length < 2 }, h('span', {}, label), select);
}
