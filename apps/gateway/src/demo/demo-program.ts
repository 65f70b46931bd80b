/** The TypeScript program that the scripted model sends: searches, then calls two MCP servers and a slow plugin at once. */
export const demoProgram = `type Stock = { item: string; total: number };
const [found] = await tools.search("count stock in the warehouse", { limit: 3 });
const [prices, sum, stock] = await Promise.all([
  MCP.filesystem.readTextFile({ path: "prices.json" }),
  MCP.everything.getSum({ a: 19, b: 23 }),
  tools.call(found.id, { item: "apples" }) as Promise<Stock>,
]);
const price: number = JSON.parse(prices.data.content).apples;
text(sum.data);
return { counted: stock.total, price, value: price * stock.total };`;

/** What the user asks. */
export const demoQuestion = "What are the apples in the warehouse worth?";

/** What the final answer must contain: 14 apples at 3 each, computed by the program. */
export const demoAnswer = "14 apples at 3 each are worth 42";
