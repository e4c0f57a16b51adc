import {type BrokenRepository, notServed, OTHER_DESCRIBED} from './brokenRepository.ts'
import {FORM, REFERENCE, SITE, TEXTS, TOOL, text} from './documents.ts'

/** Documents and layouts that can be read, and do not say what they should. */
export const WRONG_CONTENTS: readonly BrokenRepository[] = [
  {
    name: 'an _id that is not the name of the file',
    files: {'tool/other.json': text({...OTHER_DESCRIBED, _id: 'drinks'})},
    findings: [notServed('tool/other.json')],
    remedy: /_id must be "other", the name of its file/,
    unserved: ['tool/other'],
  },
  {
    name: 'a _type that is not the name of the folder',
    files: {
      'formTool/other.json': text({
        ...FORM,
        _id: 'other',
        _type: 'form',
        name: 'sendMessage',
        pagePath: '/contact',
        description: 'Fills in the form that writes to the chef.',
      }),
    },
    findings: [notServed('formTool/other.json')],
    remedy: /_type must be "formTool", the name of its folder/,
    unserved: ['formTool/other'],
  },
  {
    name: 'a document without _id and _type',
    files: {'tool/other.json': text({...OTHER_DESCRIBED, _id: undefined, _type: undefined})},
    findings: [notServed('tool/other.json')],
    remedy: /_type must be "tool"/,
    unserved: ['tool/other'],
  },
  {
    name: 'a key that occurs twice',
    files: {'tool/menu.json': text(TOOL).replace('  "name"', '  "name": "getMenu",\n  "name"')},
    findings: [['KEY_DUPLICATE', 'tool/menu.json', 7]],
    remedy: /delete the other one/,
  },
  {
    name: 'a key that JavaScript gives a meaning',
    files: {'tool/other.json': text(OTHER_DESCRIBED).replace('"enabled"', '"__proto__": {},\n  "enabled"')},
    findings: [notServed('tool/other.json')],
    remedy: /__proto__/,
    unserved: ['tool/other'],
  },
  {
    name: 'a type that Handrail does not know',
    files: {'article/one.json': text({_id: 'one', _type: 'article', title: 'One'})},
    findings: [['TYPE_UNKNOWN', 'article/one.json']],
    remedy: /the types are site, tool, formTool/,
  },
  {
    name: 'an action that breaks a rule',
    files: {
      'tool/other.json': text({
        ...OTHER_DESCRIBED,
        executeJs: undefined,
        inputSchema: TEXTS.inputSchema,
        action: 'request',
        request: {
          address: '/api/dishes',
          query: [
            {name: 'a', value: '1'},
            {name: 'day', parameter: 'day'},
          ],
          result: {kind: 'text'},
        },
      }),
    },
    findings: [['RULE_BROKEN', 'tool/other.json', 19]],
    remedy: /The tool has no parameter “day”/,
    unserved: [],
  },
  {
    name: 'a field that the type does not have',
    files: {'tool/menu.json': text({...TOOL, descripton: 'Returns the menu.'})},
    findings: [['FIELD_UNKNOWN', 'tool/menu.json', 5]],
    remedy: /did you mean "description"\?$/,
  },
  {
    name: 'a misspelled member of an annotation',
    files: {'tool/menu.json': text({...TOOL, annotations: {readOnly: 'true', extra: 1}})},
    findings: [
      ['RULE_BROKEN', 'tool/menu.json', 5],
      ['FIELD_UNKNOWN', 'tool/menu.json', 6],
    ],
    remedy: /no hint “readOnly”: write one of|"annotations" has no member "extra"/,
  },
  {
    name: 'a tool that says nowhere whether it is on',
    files: {'tool/menu.json': text({...TOOL, enabled: undefined})},
    findings: [['ENABLED_MISSING', 'tool/menu.json']],
    remedy: /write "enabled": true/,
  },
  {
    name: 'a tool without a site',
    files: {'tool/menu.json': text({...TOOL, site: undefined})},
    findings: [['RULE_BROKEN', 'tool/menu.json']],
    remedy: /write "site"/,
  },
  {
    name: 'a reference to nothing',
    files: {'tool/menu.json': text({...TOOL, site: {...REFERENCE, _ref: 'bistro'}})},
    findings: [['REFERENCE_BROKEN', 'tool/menu.json', 8]],
    remedy: /There is no site\/bistro\.json: name the _id of a site/,
  },
  {
    name: 'a reference by the public ID of a site',
    files: {'tool/menu.json': text({...TOOL, site: {...REFERENCE, _ref: 'tide-cafe'}})},
    findings: [['REFERENCE_BROKEN', 'tool/menu.json', 8]],
    remedy: /"tide-cafe" is the public ID of site\/cafe\.json: write its _id, "cafe"/,
  },
  {
    name: 'a reference to a document that is not a site',
    files: {'tool/menu.json': text({...TOOL, site: {...REFERENCE, _ref: 'table'}})},
    findings: [['REFERENCE_BROKEN', 'tool/menu.json', 8]],
    remedy: /formTool\/table\.json is not a site/,
  },
  {
    name: 'two sites with one public ID',
    files: {'site/pub.json': text({...SITE, _id: 'pub', name: 'The pub'})},
    findings: [['PUBLIC_ID_TAKEN', 'site/pub.json', 5]],
    remedy: /Give the other one a different public ID/,
  },
  {
    name: 'two tools with one name',
    files: {'tool/other.json': text({...OTHER_DESCRIBED, name: 'showMenu'})},
    findings: [['NAME_TAKEN', 'tool/other.json', 8]],
    remedy: /Give the other one a different name/,
  },
  {
    name: 'two documents with one _id',
    files: {'tool/table.json': text({...OTHER_DESCRIBED, _id: 'table'})},
    findings: [['ID_TAKEN', 'tool/table.json']],
    remedy: /choose another _id and rename the file/,
  },
  {
    name: 'a document in a nested folder',
    files: {'tool/bar/other.json': text(OTHER_DESCRIBED)},
    findings: [['FILE_NESTED', 'tool/bar/other.json']],
    remedy: /move it to tool\/other\.json/,
  },
  {
    name: 'files of an operating system',
    files: {'.DS_Store': 'Bud1', 'tool/.DS_Store': 'Bud1', 'tool/Thumbs.db': 'x'},
    findings: [
      ['FILE_OF_SYSTEM', '.DS_Store'],
      ['FILE_OF_SYSTEM', 'tool/.DS_Store'],
      ['FILE_OF_SYSTEM', 'tool/Thumbs.db'],
    ],
    remedy: /\.gitignore/,
  },
  {
    name: 'JSON that is nested 5,000 levels deep',
    files: {
      'tool/other.json': `{"_id": "other", "_type": "tool", "name": ${'['.repeat(5_000)}${']'.repeat(5_000)}}\n`,
    },
    findings: [notServed('tool/other.json')],
    remedy: /make it flatter/,
    unserved: ['tool/other'],
  },
  {
    name: 'a draft',
    files: {'tool/drafts.menu.json': text({...TOOL, ...TEXTS, _id: 'drafts.menu'})},
    findings: [notServed('tool/drafts.menu.json')],
    remedy: /delete the file/,
    unserved: ['tool/drafts.menu'],
  },
  {
    name: 'an _id with a space',
    files: {'tool/the menu.json': text({...OTHER_DESCRIBED, _id: 'the menu'})},
    findings: [notServed('tool/the menu.json')],
    remedy: /use at most 128 letters, digits/,
    unserved: ['tool/the menu'],
  },
  {
    name: 'the name of a device on Windows',
    files: {'tool/con.json': text({...OTHER_DESCRIBED, _id: 'con'})},
    findings: [['FILE_NAME', 'tool/con.json']],
    remedy: /choose another name/,
  },
  {
    name: 'a list instead of a document',
    files: {'tool/other.json': '[]\n'},
    findings: [notServed('tool/other.json')],
    remedy: /not a JSON object/i,
    unserved: ['tool/other'],
  },
  {
    name: 'a note among the tools',
    files: {'tool/notes.txt': 'Ask the chef.\n'},
    findings: [['FILE_NOT_READ', 'tool/notes.txt']],
    remedy: /does not end with \.json or \.js or \.schema\.json or/,
  },
  {
    name: 'several mistakes in one document',
    files: {
      'tool/menu.json': `${text({...TOOL, pathPattern: 'https://cafe.example/menu'})}}`,
      'tool/menu.js': 'return (\n',
      'tool/menu.schema.json': '[]\n',
    },
    findings: [
      ['RULE_BROKEN', 'tool/menu.js', 1],
      notServed('tool/menu.json', 13),
      ['RULE_BROKEN', 'tool/menu.schema.json', 1],
    ],
    remedy: /begin with "\{"/,
    unserved: ['tool/menu'],
  },
]
