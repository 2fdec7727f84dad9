import type { DoneStep, StepUndo, UndoContext } from './done-steps.ts'
import { undoCreate } from './undo-create.ts'

/**
 * Undoing a restore moves the record to the trash again. As for a create, it is kept if somebody changed it after the run, or uses
 * it by now.
 */
export const undoRestore = (done: DoneStep, context: UndoContext): StepUndo => undoCreate(done, context)
