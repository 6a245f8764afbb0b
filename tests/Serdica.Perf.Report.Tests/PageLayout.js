// What is wrong in the layout of each section of the page, in words; empty where nothing is. Places are those in the whole page.
() => {
  const leastFont = 10;
  const leastContrast = 4.5;
  const mostHole = 200;
  const mostRow = 260;
  const screen = document.documentElement.clientWidth;

  const slug = text => text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 40);
  const short = text => (text.length > 60 ? `${text.slice(0, 57)}...` : text).replace(/\s+/g, ' ').trim();

  /** The sections of the report; the pages without a script have headings and what follows them. */
  function sections() {
    const main = document.querySelector('main');
    if (main.querySelector(':scope > section'))
      return [
        { name: 'header', parts: [document.querySelector('header')] },
        ...[...main.children].map(part => ({ name: part.id || 'contents', parts: [part] })),
        { name: 'footer', parts: [document.querySelector('footer')] },
      ];
    const groups = [];
    for (const part of main.children) {
      if (groups.length === 0 || part.matches('h2')) groups.push({ name: slug(part.textContent), parts: [] });
      groups.at(-1).parts.push(part);
    }
    return groups;
  }

  /** Asked of each element once: nothing on the page changes while it is read, and a table has thousands of texts. */
  function once(answer) {
    const known = new Map();
    return element => {
      if (!known.has(element)) known.set(element, answer(element));
      return known.get(element);
    };
  }
  const styleOf = once(element => getComputedStyle(element));
  const boxOf = once(element => element.getBoundingClientRect());

  const meets = (one, other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  const overlap = (one, other) => ({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  });
  const isEmpty = box => box.right - box.left < 0.5 || box.bottom - box.top < 0.5;
  const plain = ({ left, top, right, bottom }) => ({ left, top, right, bottom });

  /** What does not show all that stands in it, from the inside out. */
  const clipsOf = once(element => {
    if (element === null || element === document.body) return [];
    const { overflowX, overflowY } = styleOf(element);
    const outer = clipsOf(element.parentElement);
    return overflowX === 'visible' && overflowY === 'visible' ? outer : [{ box: boxOf(element), overflowX, overflowY }, ...outer];
  });

  /** What can be seen of a box, and whether its ancestors hide the rest for good: what scrolls is not hidden. */
  function seen(element, box) {
    let [visible, isCut, scrolls] = [plain(box), false, false];
    for (const { box: outer, overflowX, overflowY } of clipsOf(element)) {
      const within = overlap(visible, outer);
      if (['auto', 'scroll'].includes(overflowX)) scrolls = true;
      else if (within.left > visible.left + 1 || within.right < visible.right - 1) isCut = true;
      if (!['auto', 'scroll'].includes(overflowY) && (within.top > visible.top + 1.5 || within.bottom < visible.bottom - 1.5)) isCut = true;
      visible = within;
      if (isEmpty(visible)) return { visible, isCut, scrolls, isGone: true };
    }
    return { visible, isCut, scrolls, isGone: visible.right < 0 };
  }

  const range = document.createRange();

  /** The texts of a part that can be seen, each with its boxes: one a line. */
  function textsOf(part) {
    const found = [];
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const element = node.parentElement;
      if (node.data.trim() === '' || element.closest('script, style, option, title, noscript')) continue;
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true })) continue;
      range.selectNodeContents(node);
      const drawn = element.closest('text');
      const lines = drawn ? [drawn.getBoundingClientRect()] : [...range.getClientRects()];
      const boxes = lines.map(line => ({ line, ...seen(element, line) })).filter(box => !isEmpty(box.line));
      const shown = boxes.filter(box => !box.isGone);
      if (shown.length > 0 || boxes.some(box => box.isCut)) {
        found.push({ node, element, drawn, text: node.data.trim(), boxes: shown, all: boxes });
      }
    }
    return found;
  }

  const colourOf = text => {
    const parts = text.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    return text.startsWith('rgb') ? [parts[0], parts[1], parts[2], parts[3] ?? 1] : [0, 0, 0, 0];
  };
  const over = (front, behind) => [0, 1, 2].map(part => front[part] * front[3] + behind[part] * (1 - front[3])).concat(1);
  const light = colour =>
    colour
      .slice(0, 3)
      .map(part => part / 255)
      .map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const contrast = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((left, right) => left - right);
    return (bright + 0.05) / (dark + 0.05);
  };
  const opacity = once(element => (element === null ? 1 : opacity(element.parentElement) * Number(styleOf(element).opacity)));
  const background = once(element => {
    if (element === null) return [255, 255, 255, 1];
    const colour = colourOf(styleOf(element).backgroundColor);
    return over(colour, colour[3] === 1 ? colour : background(element.parentElement));
  });

  const isShape = element => element instanceof SVGGeometryElement && !element.closest('defs, clipPath');
  const shapesOf = once(svg =>
    [...svg.querySelectorAll('path, rect, circle, polygon, polyline')].filter(
      shape => isShape(shape) && styleOf(shape).fill !== 'none',
    ),
  );

  /** What a text in a drawing stands on: the shapes that were drawn before it. */
  function backgroundInDrawing(text, box) {
    const svg = text.ownerSVGElement;
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    let colour = background(svg.parentElement);
    for (const shape of shapesOf(svg)) {
      if (shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_PRECEDING) break;
      const style = styleOf(shape);
      const outer = boxOf(shape);
      if (x < outer.left || x > outer.right || y < outer.top || y > outer.bottom) continue;
      if (!shape.isPointInFill(new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse()))) continue;
      const fill = colourOf(style.fill);
      colour = over([fill[0], fill[1], fill[2], fill[3] * Number(style.fillOpacity) * opacity(shape)], colour);
    }
    return colour;
  }

  const sizeOf = ({ element, drawn }) => {
    const size = parseFloat(styleOf(element).fontSize);
    if (!drawn) return size;
    const matrix = drawn.getScreenCTM();
    return size * Math.hypot(matrix.a, matrix.b);
  };

  /** Words of an ordinary length that end on another line than they begin. */
  function broken({ node, drawn, all }) {
    if (drawn || all.length < 2) return [];
    return [...node.data.matchAll(/(?<![\p{L}\p{N}])--?[a-z]|[\p{L}\p{N}.,_]+/gu)]
      .filter(([word]) => word.length > 1 && word.length < 24)
      .filter(({ 0: word, index }) => {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = [...range.getClientRects()].filter(line => line.width > 0.5);
        return lines.length > 1 && lines.at(-1).top > lines[0].bottom - 2;
      })
      .map(([word]) => word);
  }

  /** Stretches from top to bottom in which a container has nothing to see. */
  function holes(containers, inks) {
    const boxes = containers.map(container => container.getBoundingClientRect()).filter(box => box.height > 0);
    const outer = { top: Math.min(...boxes.map(box => box.top)), bottom: Math.max(...boxes.map(box => box.bottom)) };
    const within = inks
      .filter(ink => containers.some(container => container.contains(ink.element)))
      .sort((left, right) => left.box.top - right.box.top);
    const found = [];
    let bottom = outer.top;
    for (const { box } of [...within, { box: { top: outer.bottom, bottom: outer.bottom } }]) {
      if (box.top - bottom > mostHole) found.push(Math.round(box.top - bottom));
      bottom = Math.max(bottom, box.bottom);
    }
    return found;
  }

  const canvas = document.createElement('canvas').getContext('2d');
  const widthOf = (text, element) => {
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(element);
    canvas.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    return canvas.measureText(text).width;
  };

  /** What stands in a field is no text of the page, and is cut off without a trace; it may stand in whole beside it. */
  function fields(part, texts) {
    return [part, ...part.querySelectorAll('*')]
      .filter(field => field.matches('select, input[placeholder]') && field.checkVisibility())
      .flatMap(field => {
        const style = getComputedStyle(field);
        const isList = field.matches('select');
        const text = isList ? (field.selectedOptions[0]?.text ?? '') : field.placeholder;
        const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - (isList ? 18 : 0);
        const colour = colourOf(isList ? style.color : getComputedStyle(field, '::placeholder').color);
        const rate = contrast(over(colour, background(field)), background(field));
        return [
          widthOf(text, field) > room + 1 && !texts.some(each => each.text === text) ? `cut off in its field: "${short(text)}"` : '',
          rate < leastContrast ? `contrast ${rate.toFixed(2)}: "${short(text)}"` : '',
        ];
      })
      .filter(problem => problem !== '');
  }

  function problemsOf(parts) {
    const problems = [];
    const texts = parts.flatMap(textsOf);
    for (const each of texts) {
      const what = `"${short(each.text)}"`;
      if (each.all.some(box => box.isCut)) problems.push(`cut off: ${what}`);
      if (/(\u2026|\.\.\.)$/.test(each.text) && each.drawn) problems.push(`shortened: ${what}`);
      if (each.boxes.some(box => !box.scrolls && (box.line.right > screen + 1 || box.line.left < -1)))
        problems.push(`wider than the screen: ${what}`);
      const size = sizeOf(each);
      if (size < leastFont - 0.05) problems.push(`${size.toFixed(1)} px small: ${what}`);
      problems.push(...broken(each).map(word => `broken within "${word}": ${what}`));
      const first = each.boxes[0];
      if (first === undefined) continue;
      const behind = each.drawn ? backgroundInDrawing(each.drawn, first.line) : background(each.element);
      const style = styleOf(each.element);
      const front = colourOf(each.drawn ? style.fill : style.color);
      const rate = contrast(over([front[0], front[1], front[2], front[3] * opacity(each.element)], behind), behind);
      if (rate < leastContrast) problems.push(`contrast ${rate.toFixed(2)}: ${what}`);
    }

    // The box of a line is higher than its letters. Labels of a drawing that touch each other are read as one.
    const lines = texts
      .flatMap(each =>
        each.boxes.map(({ visible: { left, top, right, bottom } }) => ({
          each,
          box: {
            left: left + (each.drawn ? -2 : 1),
            right: right - (each.drawn ? -2 : 1),
            top: top + (bottom - top) * 0.18,
            bottom: bottom - (bottom - top) * 0.18,
          },
        })),
      )
      .sort((left, right) => left.box.top - right.box.top);
    for (const [index, one] of lines.entries()) {
      for (let next = index + 1; next < lines.length && lines[next].box.top < one.box.bottom; next++) {
        const other = lines[next];
        if (one.each !== other.each && meets(one.box, other.box))
          problems.push(`"${short(one.each.text)}" over "${short(other.each.text)}"`);
      }
    }

    const inks = [
      ...texts.flatMap(each => each.boxes.map(box => ({ element: each.element, box: box.visible }))),
      ...parts
        .flatMap(part => [...part.querySelectorAll('svg path, svg rect, svg line, svg circle, svg polyline, select, input, button')])
        .filter(element => element.checkVisibility({ visibilityProperty: true }) && !element.closest('defs, clipPath'))
        .filter(element => !isShape(element) || styleOf(element).fill !== 'none' || styleOf(element).stroke !== 'none')
        .map(element => ({ element, ...seen(element, boxOf(element)) }))
        .filter(ink => !ink.isGone)
        .map(({ element, visible }) => ({ element, box: visible })),
    ];
    problems.push(...holes(parts, inks).map(hole => `a hole of ${hole} px in the section`));
    for (const container of parts.flatMap(part => [...part.querySelectorAll('.card, figure, .drawing, .chart, .scroll')])) {
      if (container.checkVisibility())
        problems.push(...holes([container], inks).map(hole => `a hole of ${hole} px in ${container.className || container.localName}`));
    }

    for (const row of parts.flatMap(part => [...part.querySelectorAll('tr')])) {
      const { height } = row.getBoundingClientRect();
      if (height > mostRow && getComputedStyle(row).display === 'table-row')
        problems.push(`a row of ${Math.round(height)} px: "${short(row.textContent)}"`);
    }
    problems.push(...parts.flatMap(part => fields(part, texts)));
    return [...new Set(problems)];
  }

  const page = document.documentElement;
  const tooWide = page.scrollWidth > screen ? [`the page is ${page.scrollWidth} px wide, the screen ${screen}`] : [];
  return JSON.stringify(
    sections().map(({ name, parts }, index) => {
      const boxes = parts.map(part => part.getBoundingClientRect()).filter(box => box.height > 0);
      const [left, top] = [Math.min(...boxes.map(box => box.left)), Math.min(...boxes.map(box => box.top))];
      return {
        name,
        x: Math.max(0, left + scrollX - 8),
        y: Math.max(0, top + scrollY - 8),
        width: Math.max(...boxes.map(box => box.right)) - left + 16,
        height: Math.max(...boxes.map(box => box.bottom)) - top + 16,
        problems: [...(index === 0 ? tooWide : []), ...problemsOf(parts)],
      };
    }),
  );
}
