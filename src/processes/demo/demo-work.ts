import type { CreateTask } from '../../features/tasks/task-changes.dto.js';

/** A task of the demo that hangs on no stay. */
export interface DemoTask {
  task: Pick<CreateTask, 'name' | 'description' | 'type' | 'priority' | 'checklist' | 'durationMinutes' | 'recurrence'>;
  /** By its number; none for the whole organization. */
  property?: number;
  /** Hours from now. */
  dueIn?: number;
  assigned?: boolean;
  end: 'pending' | 'started' | 'completed' | 'cancelled' | 'archived';
  comments?: readonly string[];
}

export const demoTasks: readonly DemoTask[] = [
  {
    task: { name: 'Shower drips in 101', type: 'issue', priority: 'high', durationMinutes: 45 },
    property: 3,
    dueIn: -20,
    assigned: true,
    end: 'started',
    comments: ['A new seal is ordered.', 'It comes tomorrow morning.'],
  },
  {
    task: { name: 'Replace the lock battery', type: 'maintenance', priority: 'urgent', durationMinutes: 15 },
    property: 0,
    dueIn: 6,
    assigned: true,
    end: 'pending',
    comments: ['Below 15 % since this morning.'],
  },
  {
    task: {
      name: 'Count the linen',
      type: 'inventory',
      checklist: [{ title: 'Sheets' }, { title: 'Towels' }, { title: 'Bathrobes' }],
    },
    property: 3,
    dueIn: 50,
    end: 'pending',
  },
  {
    task: { name: 'Renew the fire insurance', type: 'administration', priority: 'high' },
    dueIn: 24 * 9,
    end: 'pending',
  },
  {
    task: { name: 'Paint the jetty', description: 'Two coats; the boat stays out.', type: 'maintenance' },
    property: 1,
    dueIn: 24 * 14,
    end: 'pending',
  },
  {
    task: { name: 'Photograph the loft', type: 'other', priority: 'low' },
    property: 2,
    end: 'completed',
    comments: ['The pictures are on the shared drive.'],
  },
  { task: { name: 'Repair the coffee machine', type: 'issue' }, property: 2, assigned: true, end: 'completed' },
  { task: { name: 'Order new deck chairs', type: 'other' }, property: 3, end: 'cancelled' },
  { task: { name: 'Sweep the chimney', type: 'maintenance' }, property: 1, end: 'archived' },
  {
    task: { name: 'Water the plants', type: 'other', priority: 'low', recurrence: 'FREQ=WEEKLY' },
    property: 0,
    dueIn: 30,
    assigned: true,
    end: 'pending',
  },
  {
    task: { name: 'Test the smoke detectors', type: 'inspection', recurrence: 'FREQ=MONTHLY' },
    property: 3,
    dueIn: 24 * 5,
    end: 'pending',
  },
];

/** People of the demo; the invited one has not answered yet. */
export const demoPeople = [
  { name: 'Rui Matos', role: 'coordinator', invited: false },
  { name: 'Bea Lind', role: 'cleaner', invited: false },
  { name: 'Tom Ortiz', role: 'cleaner', invited: false },
  { name: 'Maja Holm', role: 'viewer', invited: true },
] as const;
