import {Flex} from '@sanity/ui'
import {uuid} from '@sanity/uuid'
import {useCallback, useEffect, useState} from 'react'
import {getPublishedId, useFormValue} from 'sanity'
import {siteOf} from '../../schemas/documents.ts'
import {isRecord} from '../../schemas/record.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {SmallButton} from '../parts/layout.tsx'
import {lazily} from '../parts/lazily.tsx'
import {browserItems} from '../saving/storage.ts'
import {whenTaken} from './offers.ts'
import {MODES, type ShownField, shownFields} from './shownField.ts'

const PreviewDialog = lazily(async () => (await import('../preview/dialog.tsx')).PreviewDialog)

type ShowOnPageProps = Pick<ShownField, 'field'> & {
  /** The key of the part of a reading that is replaced. */
  part?: string
}

/** A button that opens a page of the site, where a person shows what a field needs. */
export function ShowOnPage({field, part = ''}: ShowOnPageProps) {
  const [shown, setShown] = useState<ShownField>()
  const close = useCallback(() => setShown(undefined), [])
  const value = useFormValue([])
  const document = isRecord(value) ? value : {}
  const siteId = siteOf(document)
  if (siteId === undefined) return null
  const show = () => {
    const type = document._type === 'formTool' ? 'formTool' : 'tool'
    setShown({id: randomKey(), siteId, toolId: getPublishedId(textOf(document._id)), type, field, part})
  }
  return (
    <Flex>
      <SmallButton data-testid={`show-${field}`} onClick={show} text="Show me on the page" />
      {shown !== undefined && (
        <ShowDialog name={textOf(document.name) || 'unnamed'} onClose={close} shown={shown} />
      )}
    </Flex>
  )
}

function ShowDialog({shown, name, onClose}: {shown: ShownField; name: string; onClose: () => void}) {
  const {id, siteId, toolId, field} = shown
  useEffect(() => shownFields.add(shown, browserItems), [shown])
  useEffect(() => whenTaken(id, onClose), [id, onClose])
  return (
    <PreviewDialog
      onClose={onClose}
      siteId={siteId}
      toolId={toolId}
      wanted={{mode: MODES[field], key: id, name}}
    />
  )
}

function randomKey(): string {
  return uuid().replaceAll('-', '').slice(0, 16)
}
