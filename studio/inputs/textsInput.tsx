import {Card, Flex, Stack, Text, TextArea, TextInput} from '@sanity/ui'
import type {ReactNode} from 'react'
import {type ArrayOfObjectsInputProps, type FormPatch, PatchEvent, set, unset} from 'sanity'
import {nameOfLanguage} from '../../schemas/fields/texts.ts'
import {type Fields, recordsIn} from '../../schemas/record.ts'
import {titleOf} from '../../schemas/rules/names/toolName.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {Choice} from '../parts/fields.tsx'
import {entryOf} from '../parts/keyed.ts'
import {Muted, SmallButton, Strong} from '../parts/layout.tsx'
import {useFormDocument} from '../parts/useFormDocument.ts'
import {LANGUAGES} from './languages.ts'
import {addition, textPatch} from './patches.ts'
import {parametersIn} from './suggested.tsx'

/** The texts of a tool in other languages, next to its own. */
export function TextsInput({value, readOnly = false, onChange}: ArrayOfObjectsInputProps) {
  const {document: tool} = useFormDocument()
  const entries = recordsIn(value).filter(({_key}) => typeof _key === 'string')
  const known = entries.map(({language}) => textOf(language))
  const add = (language: string) => onChange(addition([], entryOf('language', {language})))
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
        <Choice
          label="Add a language"
          of={[['', 'Add a language…'], ...LANGUAGES.filter(([language]) => !known.includes(language))]}
          onChange={(language) => language !== '' && add(language)}
          testId="add-language"
          value=""
        />
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
  const text = (label: string, value: unknown, patchesOf: (text: string) => FormPatch[]) => ({
    'aria-label': label,
    fontSize: 1,
    lang: language,
    readOnly,
    value: textOf(value),
    onChange: ({currentTarget}: {currentTarget: {value: string}}) =>
      change(...patchesOf(currentTarget.value)),
  })
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
            <TextInput {...text('Title', entry.title, (next) => [textPatch(['title'], next)])} />
          </Pair>
        )}
        <Pair label="Description" own={textOf(tool.description)}>
          <TextArea
            rows={4}
            {...text('Description', entry.description, (next) => [textPatch(['description'], next)])}
          />
        </Pair>
        {parametersIn(tool).map(({name, description: own}) => {
          const row = rows.find((one) => one.name === name)
          return (
            <Pair key={name} label={name} own={textOf(own)}>
              <TextArea
                rows={2}
                {...text(name, row?.description, (description) =>
                  row === undefined
                    ? addition(['parameters'], entryOf('parameter', {name, description}))
                    : [set(description, ['parameters', {_key: textOf(row._key)}, 'description'])],
                )}
              />
            </Pair>
          )
        })}
      </Stack>
    </Card>
  )
}

/** A text of the tool, and next to it the same in the other language. */
function Pair({label, own, children}: {label: string; own: string; children: ReactNode}) {
  return (
    <Flex gap={3} wrap="wrap">
      <Stack flex={1} gap={2} style={{minWidth: '12rem'}}>
        <Strong>{label}</Strong>
        <Muted>{own === '' ? 'No text' : own}</Muted>
      </Stack>
      <Stack flex={2} style={{minWidth: '14rem'}}>
        {children}
      </Stack>
    </Flex>
  )
}
