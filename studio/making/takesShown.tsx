import {useToast} from '@sanity/ui/toast'
import {useEffect, useRef} from 'react'
import {useFormDocument} from '../parts/useFormDocument.ts'
import {browserItems} from '../saving/storage.ts'
import {changesOf} from './fill.ts'
import {takeOffers} from './offers.ts'
import {shownFields} from './shownField.ts'

/** In the form of a tool: fills in what a person showed on a page for it. @param id of the published document */
export function TakesShown({id}: {id: string}) {
  const form = useFormDocument()
  const toast = useToast()
  const latest = useRef(form)
  useEffect(() => {
    latest.current = form
  })
  useEffect(
    () =>
      takeOffers(({fieldId, tool}) => {
        const {document, isReady, change} = latest.current
        const shown = shownFields.list(browserItems).find((field) => field.id === fieldId)
        if (shown?.toolId !== id || !isReady) return false
        const changes = changesOf(tool, shown, document)
        if (!changes.ok) return false
        change(changes.value)
        toast.push({status: 'success', title: 'Filled in from the page'})
        return true
      }),
    [id, toast],
  )
  return null
}
