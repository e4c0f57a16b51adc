import {Card, Flex, Select, Stack, Text, TextArea, TextInput} from '@sanity/ui'
import type {ReactNode} from 'react'
import {
  type ArrayOfObjectsInputProps,
  type FormPatch,
  insert,
  PatchEvent,
  set,
  setIfMissing,
  unset,
  useFormValue,
} from 'sanity'
import {nameOfLanguage} from '../../schemas/rules/conditions/languageTexts.ts'
import {isRecord, recordsIn} from '../../schemas/rules/json.ts'
import {titleOf} from '../../schemas/rules/names/title.ts'
import {textOf} from '../../schemas/rules/text.ts'
import type {Fields} from '../../schemas/rules/tool.ts'
import {Options} from '../parts/fields/options.tsx'
import {entryOf} from '../parts/keyed.ts'
import {SmallButton} from '../parts/smallButton.tsx'
import {LANGUAGES} from './languages.ts'
import {parametersIn} from './tests/rows.ts'

/** The texts of a tool in other languages, next to its own. */
export function TextsInput({value, readOnly = false, onChange}: ArrayOfObjectsInputProps) {
  const document = useFormValue([])
  const tool = isRecord(document) ? document : {}
  const entries = recordsIn(value).filter(({_key}) => typeof _key === 'string')
  const known = entries.map(({language}) => textOf(language))
  const add = (language: string) =>
    onChange([setIfMissing([]), insert([entryOf('language', {language})], 'after', [-1])])
  return (
    <Stack gap={3}>
      {entries.map((entry) => (
        <LanguageCard
          change={(...patches) =>
            onChange(PatchEvent.from(patches).prefixAll({_key: textOf(entry._key)}).patches)
          }
          entry={entry}
          key={textOf(entry._key)}
          readOnly={readOnly}
          remove={() => onChange(unset([{_key: textOf(entry._key)}]))}
          tool={tool}
        />
      ))}
      {!readOnly && (
        <Select
          aria-label="Add a language"
          data-testid="add-language"
          fontSize={1}
          onChange={({currentTarget}) => currentTarget.value !== '' && add(currentTarget.value)}
          value=""
        >
          <Options
            of={[['', 'Add a language…'], ...LANGUAGES.filter(([language]) => !known.includes(language))]}
          />
        </Select>
      )}
    </Stack>
  )
}

type LanguageCardProps = {
  tool: Fields
  entry: Fields
  readOnly: boolean
  change: (...patches: FormPatch[]) => void
  remove: () => void
}

function LanguageCard({tool, entry, readOnly, change, remove}: LanguageCardProps) {
  const language = textOf(entry.language)
  const rows = recordsIn(entry.parameters)
  const described = Object.entries(parametersIn(tool).properties ?? {}).map(([name, schema]) => ({
    name,
    own: isRecord(schema) ? textOf(schema.description) : '',
  }))
  const setText = (field: 'title' | 'description', text: string) =>
    change(text === '' ? unset([field]) : set(text, [field]))
  const setParameter = (name: string, text: string) => {
    const known = rows.find((row) => row.name === name)
    if (known === undefined)
      change(
        setIfMissing([], ['parameters']),
        insert([entryOf('parameter', {name, description: text})], 'after', ['parameters', -1]),
      )
    else change(set(text, ['parameters', {_key: textOf(known._key)}, 'description']))
  }
  const title = textOf(tool.title) || titleOf(textOf(tool.name))
  return (
    <Card border data-testid={`texts-${language}`} padding={3} radius={2}>
      <Stack gap={4}>
        <Flex align="center" justify="space-between">
          <Text lang="en" size={1} weight="semibold">
            {nameOfLanguage(language)}
          </Text>
          {!readOnly && <SmallButton onClick={remove} text="Remove" />}
        </Flex>
        {tool._type !== 'formTool' && (
          <Pair label="Title" own={title}>
            {(label) => (
              <TextInput
                aria-label={label}
                fontSize={1}
                lang={language}
                onChange={(event) => setText('title', event.currentTarget.value)}
                readOnly={readOnly}
                value={textOf(entry.title)}
              />
            )}
          </Pair>
        )}
        <Pair label="Description" own={textOf(tool.description)}>
          {(label) => (
            <TextArea
              aria-label={label}
              fontSize={1}
              lang={language}
              onChange={(event) => setText('description', event.currentTarget.value)}
              readOnly={readOnly}
              rows={4}
              value={textOf(entry.description)}
            />
          )}
        </Pair>
        {described.map(({name, own}) => (
          <Pair key={name} label={name} own={own}>
            {(label) => (
              <TextArea
                aria-label={label}
                fontSize={1}
                lang={language}
                onChange={(event) => setParameter(name, event.currentTarget.value)}
                readOnly={readOnly}
                rows={2}
                value={textOf(rows.find((row) => row.name === name)?.description)}
              />
            )}
          </Pair>
        ))}
      </Stack>
    </Card>
  )
}

/** A text of the tool, and next to it the same in the other language. */
function Pair({label, own, children}: {label: string; own: string; children: (label: string) => ReactNode}) {
  return (
    <Flex gap={3} wrap="wrap">
      <Stack flex={1} gap={2} style={{minWidth: '12rem'}}>
        <Text size={1} weight="medium">
          {label}
        </Text>
        <Text muted size={1}>
          {own === '' ? 'No text' : own}
        </Text>
      </Stack>
      <Stack flex={2} style={{minWidth: '14rem'}}>
        {children(label)}
      </Stack>
    </Flex>
  )
}
