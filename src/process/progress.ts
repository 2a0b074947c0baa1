/**
 * A step of a long command. `bytes`: about how many it reads or writes; who watches the process counts them. `events`: how
 * many there will be; the command counts them itself. `scratch`: a database file that is of no use when the command is
 * stopped.
 */
export type Step = { name: string; bytes?: number; events?: number; scratch?: string };

export type OnStep = (step: Step) => void;
