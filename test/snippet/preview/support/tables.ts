import type {Shape} from './cards.ts'

const BOOKS = [
  ['Title', 'Shelf'],
  ['Knots', 'A 7'],
  ['Sails', 'B 2'],
]

const READ = [
  {Title: 'Knots', Shelf: 'A 7'},
  {Title: 'Sails', Shelf: 'B 2'},
]

const linked = READ.map((book) => ({
  ...book,
  'Title (address)': `https://shop.example/b/${book.Title}`,
}))

/** Tables, grids of scripts, and lists of facts. */
export const TABLES: Readonly<Record<string, Shape>> = {
  'a table of Bootstrap 5': {
    at: 'tbody td',
    page: `<div class="table-responsive"><table class="table table-striped"><thead><tr><th scope="col">Title</th><th scope="col">Shelf</th></tr></thead><tbody class="table-group-divider"><tr><td>Knots</td><td>A 7</td></tr><tr><td>Sails</td><td>B 2</td></tr></tbody></table></div>`,
    read: READ,
  },
  'a cart with fields, buttons and a button that loads more': {
    at: 'tbody td',
    page: `<table><thead><tr><th>Title</th><th>Pieces</th><th>Size</th><th></th></tr></thead><tbody>${['Knots', 'Sails'].map((title, at) => `<tr><td>${title}</td><td><input type="number" aria-label="Pieces" value="${at + 1}"></td><td><select><option>S</option><option ${at ? 'selected' : ''}>M</option></select></td><td><button aria-label="Remove"></button></td></tr>`).join('')}<tr><td colspan="4"><button>Load more</button></td></tr></tbody></table>`,
    read: [
      {Title: 'Knots', Pieces: '1', Size: 'S'},
      {Title: 'Sails', Pieces: '2', Size: 'M'},
    ],
  },
  'a list with labels in bold': {
    at: '.specs li',
    page: '<h2>Mooring Rope</h2><ul class="specs"><li><b>Length:</b> 12 m</li><li><strong>In stock</strong>: yes, 4</li></ul>',
    read: {Length: '12 m', 'In stock': 'yes, 4'},
  },
  'the admin of Django': {
    at: '.field-shelf',
    page: `<form id="changelist-form"></form><div class="results"><table id="result_list"><thead><tr><th scope="col" class="action-checkbox-column"><div class="text"><span><input type="checkbox" id="action-toggle" aria-label="Select all objects on this page for an action"></span></div></th><th scope="col" class="sortable column-title"><div class="text"><a href="?o=1">Title</a></div><div class="clear"></div></th><th scope="col" class="column-shelf"><div class="text"><span>Shelf</span></div></th></tr></thead><tbody>${['Knots', 'Sails'].map((title) => `<tr><td class="action-checkbox"><input type="checkbox" name="_selected_action" value="1" class="action-select"></td><th class="field-title"><a href="/b/${title}">${title}</a></th><td class="field-shelf">${title === 'Knots' ? 'A 7' : 'B 2'}</td></tr>`).join('')}</tbody></table></div>`,
    read: linked,
  },
  'a summary list of GOV.UK': {
    at: 'dd',
    page: `<dl class="govuk-summary-list">${[
      ['Name', 'Sarah Philips'],
      ['Address', '72 Guild Street<br>London'],
    ]
      .map(
        ([key, value]) =>
          `<div class="govuk-summary-list__row"><dt class="govuk-summary-list__key">${key}</dt><dd class="govuk-summary-list__value">${value}</dd><dd class="govuk-summary-list__actions"><a class="govuk-link" href="#">Change<span class="govuk-visually-hidden"> ${key}</span></a></dd></div>`,
      )
      .join('')}</dl>`,
    read: {Name: 'Sarah Philips', Address: '72 Guild Street London'},
  },
  'a DataGrid of MUI': {
    at: '[data-field=shelf]',
    page: `<div class="MuiDataGrid-root css-HASH" role="grid" aria-colcount="3"><div class="MuiDataGrid-columnHeaders" role="presentation"><div role="row" aria-rowindex="1" class="MuiDataGrid-row--borderBottom"><div role="columnheader" aria-colindex="1"><input type="checkbox" aria-label="Select all rows"></div>${['Title', 'Shelf'].map((text, x) => `<div class="MuiDataGrid-columnHeader" role="columnheader" aria-colindex="${x + 2}"><div class="MuiDataGrid-columnHeaderTitle css-HASH">${text}</div><button aria-label="Sort"></button></div>`).join('')}</div></div>${READ.map(({Title, Shelf}, y) => `<div role="row" aria-rowindex="${y + 2}" class="MuiDataGrid-row"><div role="gridcell" aria-colindex="1"><input type="checkbox" aria-label="Select row"></div><div class="MuiDataGrid-cell" role="gridcell" data-field="title" aria-colindex="2">${Title}</div><div class="MuiDataGrid-cell" role="gridcell" data-field="shelf" aria-colindex="3">${Shelf}</div><div role="presentation" class="MuiDataGrid-cellEmpty"></div></div>`).join('')}</div>`,
    read: READ,
  },
  'AG Grid with a column that stands still': {
    at: '[col-id=shelf].ag-cell',
    page: `<div class="ag-root-wrapper"><div class="ag-root ag-unselectable" role="treegrid" aria-rowcount="3">${[
      'header',
      'body',
    ]
      .map((place) =>
        [1, 0]
          .map(
            (x) =>
              `<div class="ag-${x ? 'center' : 'pinned-left'}-cols-${place}" role="presentation">${BOOKS.map((book, y) => ((y === 0) === (place === 'header') ? `<div role="row" class="ag-row ag-row-${y ? 'even' : 'odd'}" aria-rowindex="${y + 1}" row-id="${y}"><div role="${y ? 'gridcell' : 'columnheader'}" class="ag-cell ag-cell-value" col-id="${x ? 'shelf' : 'title'}" aria-colindex="${x + 1}"><span class="ag-cell-text">${book[x]}</span></div></div>` : '')).join('')}</div>`,
          )
          .join(''),
      )
      .join('')}</div></div>`,
    read: READ,
  },
  'react-table with boxes': {
    at: '.td',
    page: `<div role="table" class="table sc-HASH"><div role="row" class="tr"><div role="columnheader" class="th" colspan="1">Title<span></span></div><div role="columnheader" class="th" colspan="1">Shelf<span></span></div></div>${READ.map(({Title, Shelf}) => `<div role="row" class="tr"><div role="cell" class="td">${Title}</div><div role="cell" class="td">${Shelf}</div></div>`).join('')}</div>`,
    read: READ,
  },
  'a table of Angular Material': {
    at: '.mat-column-shelf',
    page: `<mat-table role="table" class="mat-mdc-table mdc-data-table__table cdk-table" _ngcontent-ng-cHASH><mat-header-row role="row" class="mat-mdc-header-row"><mat-header-cell role="columnheader" class="mat-mdc-header-cell">Title</mat-header-cell><mat-header-cell role="columnheader" class="mat-mdc-header-cell">Shelf</mat-header-cell></mat-header-row>${READ.map(({Title, Shelf}) => `<mat-row role="row" class="mat-mdc-row cdk-row"><mat-cell role="cell" class="mat-mdc-cell">${Title}</mat-cell><mat-cell role="cell" class="mat-mdc-cell mat-column-shelf">${Shelf}</mat-cell></mat-row>`).join('')}</mat-table>`,
    read: READ,
  },
  'a stream of LiveView': {
    at: 'td.relative',
    page: `<div data-phx-main id="phx-HASH"><table class="w-[40rem] mt-11"><thead class="text-sm"><tr><th class="p-0 pb-4 pr-6">Title</th><th class="p-0 pb-4 pr-6">Shelf</th></tr></thead><tbody id="books" phx-update="stream">${READ.map(({Title, Shelf}) => `<tr id="books-${Title}" class="group hover:bg-zinc-50"><td class="relative p-0"><div class="block py-4 pr-6"><span class="absolute -inset-y-px"></span><span class="relative font-semibold"><a href="/b/${Title}">${Title}</a></span></div></td><td class="relative p-0"><div class="block py-4 pr-6">${Shelf}</div></td></tr>`).join('')}</tbody></table></div>`,
    read: linked,
  },
  'topics of Discourse': {
    at: '.main-link',
    page: `<table class="topic-list ember-view"><thead class="topic-list-header"><tr><th data-sort-order="default" class="default">Topic</th><th data-sort-order="posters" class="posters"></th><th data-sort-order="posts" class="posts num sortable">Replies</th></tr></thead><tbody class="topic-list-body">${READ.map(({Title, Shelf}) => `<tr data-topic-id="1" class="topic-list-item category-general ember-view" id="ember-HASH"><td class="main-link topic-list-data"><span class="link-top-line"><a href="/b/${Title}" class="title raw-link">${Title}</a></span><div class="link-bottom-line"><a class="badge-category__wrapper" href="/c/1"><span class="badge-category__name">General</span></a></div></td><td class="posters topic-list-data"><a href="/u/ada"><img alt="" src="data:,"></a></td><td class="num posts-map"><button class="btn-link"><span class="number">${Shelf}</span></button></td></tr>`).join('')}</tbody></table>`,
    read: READ.map(({Title, Shelf}) => ({
      Topic: `${Title} General`,
      Replies: Shelf,
      'Topic (address)': `https://shop.example/b/${Title}`,
    })),
  },
  'an infobox of Wikipedia': {
    at: '.infobox-data',
    page: `<table class="infobox geography vcard"><tbody><tr><th colspan="2" class="infobox-above">Kiel</th></tr><tr><td colspan="2" class="infobox-image"><img alt="Harbour" src="data:,"></td></tr><tr><th scope="row" class="infobox-label">State</th><td class="infobox-data"><a href="/wiki/SH">Schleswig-Holstein</a></td></tr><tr><th colspan="2" class="infobox-header">Area</th></tr><tr><th scope="row" class="infobox-label">• Total</th><td class="infobox-data">118 km<sup>2</sup></td></tr><tr><th scope="row" class="infobox-label">Postal codes</th><td class="infobox-data">24103</td></tr></tbody></table>`,
    read: {State: 'Schleswig-Holstein', '• Total': '118 km2', 'Postal codes': '24103'},
  },
  'definitions of MDN': {
    at: 'dt',
    page: `<section aria-labelledby="values"><h2 id="values">Values</h2><dl><dt id="auto"><a href="#auto"><code>auto</code></a></dt><dd><p>The browser decides.</p></dd><dt id="none"><a href="#none"><code>none</code></a></dt><dd><p>Nothing is shown.</p></dd></dl></section>`,
    read: {auto: 'The browser decides.', none: 'Nothing is shown.'},
  },
}
