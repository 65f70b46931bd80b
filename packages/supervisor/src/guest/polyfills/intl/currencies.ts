import { indexOf, slice } from "../captured.ts";

const symbols =
  " AUD=A$ BRL=R$ CAD=CA$ CNY=CN¥ EUR=€ GBP=£ HKD=HK$ ILS=₪ INR=₹ JPY=¥ KRW=₩ MXN=MX$ NZD=NZ$ PHP=₱ TWD=NT$ USD=$ VND=₫ XAF=FCFA XCD=EC$ XOF=F\u202fCFA XPF=CFPF XXX=¤ ";
const narrowSymbols =
  " AFN=؋ AMD=֏ AOA=Kz ARS=$ AUD=$ AZN=₼ BAM=KM BBD=$ BDT=৳ BMD=$ BND=$ BOB=Bs BSD=$ BWP=P BZD=$ CAD=$ CLP=$ CNY=¥ COP=$ CRC=₡ CUP=$ CZK=Kč DKK=kr DOP=$ EGP=E£ FJD=$ GEL=₾ GHS=GH₵ GTQ=Q HKD=$ HNL=L HUF=Ft IDR=Rp ISK=kr JMD=$ KHR=៛ KYD=$ KZT=₸ LAK=₭ LKR=Rs MGA=Ar MMK=K MNT=₮ MUR=Rs MXN=$ MYR=RM NAD=$ NGN=₦ NIO=C$ NOK=kr NPR=Rs NZD=$ PKR=Rs PLN=zł PYG=₲ RON=lei RUB=₽ RWF=RF SEK=kr SGD=$ THB=฿ TOP=T$ TRY=₺ TTD=$ TWD=$ UAH=₴ UYU=$ XCD=$ ZAR=R ZMW=ZK ";

/** Singular and, where it is not the singular and an s, plural. */
const names =
  " AED=UAE dirham;ARS=Argentine peso;AUD=Australian dollar;BRL=Brazilian real;CAD=Canadian dollar;CHF=Swiss franc;CLP=Chilean peso;CNY=Chinese yuan/Chinese yuan;COP=Colombian peso;CZK=Czech koruna;DKK=Danish krone/Danish kroner;EGP=Egyptian pound;EUR=euro;GBP=British pound;HKD=Hong Kong dollar;HUF=Hungarian forint;IDR=Indonesian rupiah;ILS=Israeli new shekel;INR=Indian rupee;JPY=Japanese yen/Japanese yen;KWD=Kuwaiti dinar;KRW=South Korean won/South Korean won;MXN=Mexican peso;NGN=Nigerian naira;NOK=Norwegian krone/Norwegian kroner;NZD=New Zealand dollar;PHP=Philippine peso;PLN=Polish zloty;RUB=Russian ruble;SEK=Swedish krona/Swedish kronor;SGD=Singapore dollar;THB=Thai baht/Thai baht;TRY=Turkish lira/Turkish Lira;TWD=New Taiwan dollar;UAH=Ukrainian hryvnia;USD=US dollar;VND=Vietnamese dong/Vietnamese dong;XOF=West African CFA franc;ZAR=South African rand/South African rand;";

const withoutFraction =
  "AFN ALL BIF CLP COP DJF GNF HUF IDR IQD IRR ISK JPY KMF KPW KRW LAK LBP MGA MMK PKR PYG RWF SLL SOS SYP UGX VND VUV XAF XOF XPF YER";
const threeDigits = "BHD JOD KWD LYD OMR TND";

export type CurrencyDisplay = "symbol" | "narrowSymbol" | "code" | "name";

/** Digits after the decimal point that amounts of a currency have. */
export function currencyDigits(code: string): number {
  if (indexOf(withoutFraction, code) >= 0) return 0;
  return indexOf(threeDigits, code) >= 0 ? 3 : 2;
}

/** The sign of a currency, its code when it has none. */
export function currencySymbol(code: string, display: CurrencyDisplay): string {
  const narrow = display === "narrowSymbol" ? lookUp(narrowSymbols, code, " ") : undefined;
  return display === "code" ? code : (narrow ?? lookUp(symbols, code, " ") ?? code);
}

/** "US dollars", "1 US dollar"; the code for currencies whose name is not known here. */
export function currencyName(code: string, singular: boolean): string {
  const found = lookUp(names, code, ";");
  if (found === undefined) return code;
  const divide = indexOf(found, "/");
  const one = divide < 0 ? found : slice(found, 0, divide);
  if (singular) return one;
  return divide < 0 ? `${one}s` : slice(found, divide + 1);
}

function lookUp(table: string, code: string, end: string): string | undefined {
  const at = indexOf(table, `${code}=`);
  if (at < 0) return undefined;
  const start = at + code.length + 1;
  return slice(table, start, indexOf(table, end, start));
}
