it('is told of', () => undefined);

throw new Error('planted');
