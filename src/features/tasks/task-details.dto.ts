import { ListOf, ListOfObjects, Text } from '#operations';

export class OpenItem {
  @Text({ description: 'Item id.', max: 100 }) id: string;
  @Text({ description: 'What is to be done.', max: 500 }) title: string;
}

export class ChecklistDetails {
  @ListOfObjects(() => OpenItem, { description: 'Required items that are not done.', max: 200 }) openItems: OpenItem[];
}

export class SeriesDetails {
  @ListOf({ id: 'task' }, { description: 'Recurring tasks there.', max: 1_000 }) taskIds: string[];
}
