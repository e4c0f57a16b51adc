import type {CompletionSource} from '@codemirror/autocomplete'
import {javascript, javascriptLanguage} from '@codemirror/lang-javascript'
import {json} from '@codemirror/lang-json'
import {type Diagnostic, linter, lintGutter} from '@codemirror/lint'
import {Annotation, Transaction} from '@codemirror/state'
import {EditorView, type ViewUpdate} from '@codemirror/view'
import {Card} from '@sanity/ui'
import CodeMirror from '@uiw/react-codemirror'
import {type FocusEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState} from 'react'
import {diffMatchPatch, type StringInputProps, setIfMissing, unset, useColorSchemeValue} from 'sanity'
import {type TextChange, TextSync} from './textSync.ts'

type CodeEditorProps = {
  /** The field of the form that holds the text. Leaving the editor with blank text unsets it. */
  readonly field: StringInputProps
  readonly language: 'javascript' | 'json'
  /** The accessible name of the editor. */
  readonly label: string
  /**
   * Returns the problems in a text. Must be stable between renders: it is part of the editor's configuration.
   */
  readonly check: (text: string) => Diagnostic[]
  /** What a script has besides the language and its own names. */
  readonly complete?: CompletionSource
}

/** Milliseconds after the last keystroke until the text is checked. */
const CHECK_DELAY = 300

/** Marks what the form changed in the editor. */
const FROM_FORM = Annotation.define<true>()

/** Milliseconds after the last change until the form's value counts as its newest. */
const SETTLE_DELAY = 1_000

/**
 * A code editor with line numbers, highlighting, inline problems and completion. Tab moves the focus, as in
 * any other field of the form; press Escape first to leave a list of completions.
 */
export function CodeEditor({field, language, label, check, complete}: CodeEditorProps) {
  const {value = '', readOnly = false, onChange, elementProps} = field
  const scheme = useColorSchemeValue()
  const {initial, change, setView, receive} = useSharedText(value, onChange)
  const extensions = useMemo(
    () => [
      language === 'javascript' ? javascript() : json(),
      lintGutter(),
      linter((view) => check(view.state.doc.toString()), {delay: CHECK_DELAY}),
      ...(complete === undefined ? [] : [javascriptLanguage.data.of({autocomplete: complete})]),
      EditorView.lineWrapping,
      // The editor reads the end of a composition after this event.
      EditorView.domEventHandlers({compositionend: () => void setTimeout(receive)}),
      EditorView.contentAttributes.of({'aria-label': label}),
    ],
    [language, check, complete, label, receive],
  )
  const leave = (event: FocusEvent) => {
    if (value !== '' && value.trim() === '') onChange(unset())
    elementProps.onBlur(event)
  }
  return (
    <Card border overflow="hidden" radius={2}>
      <CodeMirror
        basicSetup={{foldGutter: false, highlightActiveLine: !readOnly, searchKeymap: false}}
        data-testid={`code-${language}`}
        editable={!readOnly}
        extensions={extensions}
        indentWithTab={false}
        maxHeight="60vh"
        minHeight="9em"
        theme={scheme === 'dark' ? 'dark' : 'light'}
        value={initial}
        onBlur={leave}
        onChange={change}
        onCreateEditor={setView}
        onFocus={elementProps.onFocus}
      />
    </Card>
  )
}

/**
 * Connects an editor with the form: sends what is typed as patches, and shows what others change at once, with the
 * cursor where it was. Undo undoes only what was typed here.
 */
function useSharedText(value: string, onChange: StringInputProps['onChange']) {
  const [sync] = useState(() => new TextSync(value))
  const [initial] = useState(sync.text)
  const [view, setView] = useState<EditorView>()
  const latest = useRef(value)

  const receive = useCallback(() => {
    // A change would end the composition of a character: it waits until the character is complete.
    if (view === undefined || view.compositionStarted) return
    const changes = sync.received(latest.current)
    if (changes.length === 0) return
    view.dispatch({changes, annotations: [FROM_FORM.of(true), Transaction.addToHistory.of(false)]})
  }, [sync, view])

  useLayoutEffect(() => {
    latest.current = value
    receive()
  }, [value, receive])

  useEffect(() => {
    const timer = setTimeout(() => {
      sync.settle()
      receive()
    }, SETTLE_DELAY)
    return () => clearTimeout(timer)
  })

  const change = useCallback(
    (_text: string, update: ViewUpdate) => {
      if (update.transactions.some((transaction) => transaction.annotation(FROM_FORM))) return
      const changes: TextChange[] = []
      update.changes.iterChanges((from, to, _from, _to, inserted) =>
        changes.push({from, to, insert: inserted.toString()}),
      )
      onChange([setIfMissing(''), diffMatchPatch(sync.typed(changes))])
    },
    [sync, onChange],
  )
  return {initial, change, setView, receive}
}
